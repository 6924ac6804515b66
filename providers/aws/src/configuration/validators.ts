import { parseDuration, userErrorText } from '@terrane/host';

// The published provider's checks of its configuration arguments, each a rule for one text.

type Check = (text: string) => string | undefined;

const MINUTE = 60_000;

/** Validates the duration of a role session. */
export const sessionDuration: Check = (text) => {
  const ms = parseDuration(text);
  if (ms === undefined) {
    return `${JSON.stringify(text)} cannot be parsed as a duration. Write it as "1h30m", in the units h, m, s, ms, us or ns.`;
  }
  return ms < 15 * MINUTE || ms > 12 * 60 * MINUTE
    ? `must be between 15 minutes (15m) and 12 hours (12h), inclusive, got: ${text}`
    : undefined;
};

/** Validates a JSON document. */
export const json: Check = (text) => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `contains invalid JSON: ${userErrorText(error)}`;
  }
};

/** Validates one of three states, as text: true, false or empty. */
export const nullableBool: Check = (text) =>
  /^(?:1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)?$/.test(text)
    ? undefined
    : `cannot parse ${JSON.stringify(text)} as boolean. Set it to "true", "false" or "".`;

/** Compares texts case-insensitively with allowed values. */
export function oneOfIgnoringCase(...values: readonly string[]): Check {
  return (text) =>
    values.some((value) => value.toLowerCase() === text.toLowerCase())
      ? undefined
      : `must be one of: ${values.join(', ')}, got: ${text}`;
}
