"""Runs the shards of a plan through Spark: spark-submit pipe.py PLAN FOLDER

PLAN and FOLDER are on storage that all workers share, under the same paths.
"""

import shlex
import sys

from pyspark import SparkContext

plan, folder = sys.argv[1:]
with open(plan, encoding="utf-8") as lines:
    shards = [line for line in lines if '"inputs":' in line]

context = SparkContext(appName="urlmill")
command = shlex.join(["urlmill", "run-shard", "--stdin", "--plan", plan, "-o", folder])
# A partition for each shard, so that a task that is run again has no other's work. Without checkCode a command that fails goes unseen.
markers = context.parallelize(shards, max(1, len(shards))).pipe(command, checkCode=True)
print(f"{markers.count()} of {len(shards)} shards done")
