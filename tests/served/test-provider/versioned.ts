import { list, listType, nullOf, number, NUMBER, object, str, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import { computed, optional, required, schema } from './attributes.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';

const SCHEMA = schema(
  {
    name: required(STRING),
    id: computed(STRING),
    tags: optional(listType(STRING)),
    level: optional(NUMBER),
  },
  {},
  3,
);
const TYPE = impliedType(SCHEMA.block);

type Stored = Readonly<Record<string, unknown>>;

/** An object whose schema was another in versions 0 (one tag), 1 (tags in one text) and 2 (a level as text). */
export const versioned: Kind = {
  schema: SCHEMA,
  upgrade: ({ version, json, flatmap }) => {
    const stored: Stored = json === undefined ? { ...flatmap } : (JSON.parse(json) as Stored);
    const text = (name: string): string | undefined => {
      const found = stored[name];
      return typeof found === 'string' && found !== '' ? found : undefined;
    };
    if (text('name') === 'refused')
      return { state: nullOf(TYPE), diagnostics: [problem('error', 'too old')] };
    const tags =
      version === 0
        ? [text('tag')]
        : version === 1
          ? (text('tags')?.split(',') ?? [])
          : arrayOf(stored['tags']);
    const level =
      version === 2 ? Number(text('level') ?? Number.NaN) : Number(stored['level'] ?? Number.NaN);
    return {
      state: versionedObject(text('name') ?? '', tags, Number.isNaN(level) ? undefined : level),
      diagnostics: version === 0 ? [problem('warning', 'that was very old')] : [],
    };
  },
};

function arrayOf(found: unknown): (string | undefined)[] {
  return Array.isArray(found)
    ? found.map((each) => (typeof each === 'string' ? each : undefined))
    : [];
}

function versionedObject(
  name: string,
  tags: readonly (string | undefined)[],
  level: number | undefined,
): Value {
  return object({
    name: str(name),
    id: str(`versioned/${name}`),
    tags:
      tags.length === 0
        ? nullOf(listType(STRING))
        : list(
            STRING,
            tags.map((each) => (each === undefined ? nullOf(STRING) : str(each))),
          ),
    level: level === undefined ? nullOf(NUMBER) : number(level),
  });
}
