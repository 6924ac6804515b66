/** Checks the form of a parsed value. Storage may contain what another program has written. */
type Form = (value: unknown) => boolean;

const text: Form = (value) => typeof value === 'string';
const number: Form = (value) => typeof value === 'number';
const flag: Form = (value) => typeof value === 'boolean';
const optional =
  (form: Form): Form =>
  (value) =>
    value === undefined || form(value);
const listOf =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(form);
const mapOf =
  (form: Form): Form =>
  (value) =>
    isMembers(value) && Object.values(value).every(form);

/** An object with members of given forms; others are ignored. */
function objectOf(members: Readonly<Record<string, Form>>): Form {
  const forms = Object.entries(members);
  return (value) => isMembers(value) && forms.every(([name, form]) => form(value[name]));
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const RUN_ID = /^[\w-]{1,100}$/;
const id: Form = (value) => typeof value === 'string' && RUN_ID.test(value);
const texts = optional(listOf(text));
const snapshot = optional(objectOf({ lineage: text, serial: number, digest: optional(text) }));

const COMMON = {
  id,
  started: text,
  who: text,
  command: text,
  mode: optional(text),
  reverts: optional(text),
  plan: optional(text),
  configuration: optional(text),
  base: snapshot,
} as const;

const SUMMARY = {
  ...COMMON,
  ended: text,
  outcome: text,
  counts: objectOf({
    created: number,
    updated: number,
    deleted: number,
    other: number,
    outside: optional(number),
  }),
  open: number,
  final: snapshot,
  keyframe: flag,
  addresses: texts,
  addressFilter: optional(text),
} as const;

const START = {
  ...COMMON,
  workspace: text,
  version: text,
  providers: mapOf(text),
  variables: optional(listOf(objectOf({ name: text, value: text, sensitive: flag }))),
  ephemeralVariables: texts,
  targets: texts,
  excludes: texts,
  replace: texts,
  imported: texts,
  forgotten: texts,
  writer: objectOf({ host: text, pid: number, identity: text }),
} as const;

const OPEN = {
  action: text,
  address: text,
  deposed: optional(text),
  since: optional(text),
} as const;
const OVERRIDDEN = { rule: text, object: text, reason: text, by: text, at: text } as const;

/** `null`: none; `true`: all; otherwise the parts by name, to any depth that a parser permits. */
function isSensitivePart(value: unknown): boolean {
  if (value === true || value === null) return true;
  return isMembers(value) && mapOf(isSensitivePart)(value['parts']);
}

/** The list of runs. */
export const INDEX_FORM: Form = objectOf({
  runs: listOf(objectOf(SUMMARY)),
  schemas: mapOf(isSensitivePart),
});

/** The start of a run. */
export const START_FORM: Form = objectOf(START);

/** The record of a run. */
export const RECORD_FORM: Form = objectOf({
  ...START,
  ...SUMMARY,
  adopted: optional(number),
  openOperations: listOf(objectOf(OPEN)),
  errors: listOf(objectOf({ summary: text, address: optional(text) })),
  overridden: optional(listOf(objectOf(OVERRIDDEN))),
});

/** The files of a configuration: pairs of path and text. */
export const CONFIGURATION_FORM: Form = listOf(
  (value) => Array.isArray(value) && value.length === 2 && value.every(text),
);
