// The targets by their names.
import type { Target } from "./target.ts";
import { cli } from "./targets/cli.ts";
import { containers } from "./targets/containers.ts";
import { large } from "./targets/large.ts";
import { mail, warc } from "./targets/mail.ts";
import { core, html } from "./targets/text.ts";
import { url } from "./targets/url.ts";

/** Every target. */
export const TARGETS: Readonly<Record<string, Target>> = { core, mail, html, containers, warc, large, cli, url };
