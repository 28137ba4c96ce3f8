#!/bin/sh
# Starts or stops a Slurm cluster of this machine alone, without systemd: enough to try an array job.
#   one-node-cluster.sh start FOLDER   all files of the cluster go to FOLDER; prints the SLURM_CONF to set
#   one-node-cluster.sh stop FOLDER
# Needs Debian's slurmctld, slurmd, slurm-client and munge (apt-get install slurm-wlm munge). Its jobs run as the user who starts it.
set -eu
[ $# = 2 ] || { echo "usage: $0 start|stop FOLDER" >&2; exit 2; }
folder=$(realpath -m "$2")
PATH=$PATH:/usr/sbin
export SLURM_CONF="$folder/slurm.conf"

stop() {
  for name in slurmd slurmctld munged; do
    [ -f "$folder/$name.pid" ] || continue
    pid=$(cat "$folder/$name.pid")
    # The number may be another process's by now.
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$name" ] || continue
    kill "$pid"
    while [ -d "/proc/$pid" ]; do sleep 0.1; done
  done
}

if [ "$1" = stop ]; then
  stop
  exit
fi

umask 022
mkdir -p "$folder/state" "$folder/spool"
chmod 700 "$folder"
user=$(id -un)
head -c 128 /dev/urandom >"$folder/munge.key"
chmod 400 "$folder/munge.key"
# A folder under /tmp is writable by others, which munged takes for unsafe without --force.
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"

# Free ports, so that several clusters can be tried at once.
ports=$(node -e '
const net = require("node:net");
const servers = [0, 0].map(() => net.createServer().listen(0, () => {
  if (servers.every((server) => server.listening)) {
    console.log(servers.map((server) => server.address().port).join(" "));
    for (const server of servers) server.close();
  }
}));')
host=$(hostname -s)
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
# A job that is requeued waits until the permission of its first run has expired.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
# No control groups: the machine may be a container.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,sched_min_interval=0
JobRequeue=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
slurmctld
slurmd -N "$host"
# The node answers when slurmd has registered it.
for _ in $(seq 100); do
  case $(sinfo -h -o %t 2>/dev/null) in idle*) echo "export SLURM_CONF=$SLURM_CONF"; exit ;; esac
  sleep 0.2
done
echo "the node is not idle; see the logs in $folder" >&2
stop
exit 1
