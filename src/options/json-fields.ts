// Which members of JSON objects are the fields of messages (A19): items of `jsonFields`, and presets of common archives.
import { shownValue } from "../base/shown.ts";
import { badOption, checkChoice, type ValueKind } from "./values.ts";

const JSON_FIELDS = ["date", "from", "name", "to", "subject", "id", "list", "reply", "thread"] as const;
/** One of JSON_FIELDS, or `type`: its member distinguishes messages from other objects with a date and a sender. */
export type JsonField = (typeof JSON_FIELDS)[number] | "type";

export const JSON_PRESETS = ["reddit", "slack", "telegram", "discord"] as const;
type JsonPreset = (typeof JSON_PRESETS)[number];

/** The members that give each field. If a field has several, the first one with a value counts. Can be sent to a worker. */
export interface JsonMapping {
  readonly members: readonly { readonly field: JsonField; readonly path: readonly string[] }[];
  /** Whether Markdown backslashes before punctuation are removed. */
  readonly markdown: boolean;
}

const PRESETS: Readonly<Record<JsonPreset, { members: string; markdown?: true }>> = {
  reddit: {
    members: "date=created_utc,from=author,id=name,id=id,subject=title,list=subreddit,reply=parent_id,thread=link_id",
    markdown: true,
  },
  slack: {
    members: "date=ts,from=user,from=bot_id,from=username,name=user_profile.real_name,name=username,id=ts,thread=thread_ts,type=type",
  },
  telegram: {
    members:
      "date=date_unixtime,date=date,from=from_id,from=actor_id,from=from,from=actor,name=from,name=actor,id=id,reply=reply_to_message_id",
  },
  discord: { members: "date=timestamp,from=author.name,name=author.nickname,id=id,reply=reference.messageId", markdown: true },
};

const EXAMPLE = "date=created_utc,from=author,id=id";

/** Names of presets, and items `FIELD=MEMBER`; `a.b` is the member `b` of the member `a`. */
export const JSON_MEMBERS: ValueKind<string[], readonly []> = {
  spelling: "list",
  placeholder: "LIST",
  example: EXAMPLE,
  usual: [],
  check(value, option) {
    const items: unknown[] = [value].flat();
    if (items.length === 0) throw badOption(option, `must name fields and members, such as ${EXAMPLE}`);
    return items.map((item) => {
      const [, field, path] = typeof item === "string" ? (/^(\w+)=([^=]+)$/.exec(item) ?? []) : [];
      if (field === undefined || path === undefined || path.split(".").includes("")) {
        if (JSON_PRESETS.some((preset) => preset === item)) return String(item);
        const right = `must name a preset (${JSON_PRESETS.join(", ")}) or fields and members, such as ${EXAMPLE}`;
        throw badOption(option, `${right}, not ${shownValue(item)}`);
      }
      checkChoice(option, field, JSON_FIELDS, "may name the fields");
      return `${field}=${path}`;
    });
  },
};

type JsonOptions = Readonly<{ jsonPreset: JsonPreset | undefined; jsonFields: readonly string[] }>;

export function jsonItems({ jsonPreset, jsonFields }: JsonOptions): string[] {
  return [...(jsonPreset === undefined ? [] : [jsonPreset]), ...jsonFields];
}

/** Returns the mapping that the options ask for, or undefined without such options. */
export function jsonMappingOf(values: JsonOptions): JsonMapping | undefined {
  const items = jsonItems(values);
  if (items.length === 0) return undefined;
  const presets = items.flatMap((item) => (Object.hasOwn(PRESETS, item) ? [PRESETS[item as JsonPreset]] : []));
  const own = items.filter((item) => item.includes("="));
  // A field of `jsonFields` replaces the same field of a preset.
  const fieldOf = (item: string): string => item.slice(0, item.indexOf("="));
  const named = new Set(own.map(fieldOf));
  const preset = presets.flatMap(({ members }) => members.split(",")).filter((item) => !named.has(fieldOf(item)));
  return {
    members: [...own, ...preset].map((item) => ({ field: fieldOf(item) as JsonField, path: item.slice(item.indexOf("=") + 1).split(".") })),
    markdown: presets.some(({ markdown }) => markdown),
  };
}
