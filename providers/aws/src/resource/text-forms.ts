import type { AttributeValidator } from '@terrane/provider/sdk';
import { textCheck } from './validators.ts';

/** Validates an ARN, or an empty text. */
export const isArn: AttributeValidator = textCheck((text, name) => {
  const reason = text === '' ? undefined : arnProblem(text);
  return reason && `"${name}" (${text}) is an invalid ARN: ${reason}`;
});

/** The number of an account. */
export const isAccount: AttributeValidator = textCheck((text, name) =>
  /^(\d{12})?$/.test(text)
    ? undefined
    : `"${name}" doesn't look like AWS Account ID (exactly 12 digits): "${text}"`,
);

/** Validates the name of a log group. */
export const isLogGroupName: AttributeValidator = textCheck((name, argument) =>
  /^[0-9A-Za-z_./#-]*$/.test(name)
    ? undefined
    : `"${argument}" isn't a valid log group name (alphanumeric characters, underscores, hyphens, slashes, hash signs and dots are allowed): "${name}"`,
);

function arnProblem(text: string): string | undefined {
  const [prefix, partition = '', , region = '', account = '', ...resource] = text.split(':');
  if (prefix !== 'arn') return 'arn: invalid prefix';
  if (resource.length === 0) return 'arn: not enough sections';
  if (partition === '') return 'missing partition value';
  if (!/^aws(-[a-z]+)*$/.test(partition)) return 'invalid partition value';
  if (!/^$|^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region)) return 'invalid region value';
  if (!/^$|^(aws|aws-managed|third-party|aws-marketplace|\d{12}|cw.{10})$/.test(account)) {
    return 'invalid account ID value';
  }
  return resource.join(':') === '' ? 'missing resource value' : undefined;
}

/** Validates an IPv4 network by its first address: "10.0.0.0/16"; or an empty text. */
export const isIpv4Network: AttributeValidator = textCheck((text) => {
  if (text === '') return undefined;
  const network = networkIn(text);
  if (network === undefined)
    return `"${text}" is not a valid CIDR block: invalid CIDR address: ${text}`;
  if (network === text) return undefined;
  return `"${text}" is not a valid IPv4 CIDR block; did you mean "${network}"?`;
});

/** Validates an IPv4 network with a prefix length between `min` and `max`. */
export function isNetworkOf(min: number, max: number): AttributeValidator {
  return textCheck((text, name) => {
    const network = networkIn(text);
    if (network === undefined) {
      return `expected "${name}" to be a valid IPv4 Value, got ${text}: invalid CIDR address: ${text}`;
    }
    if (network !== text) {
      return `expected ${name} to contain a valid network Value, expected ${network}, got ${text}`;
    }
    const bits = Number(text.split('/')[1]);
    return bits >= min && bits <= max
      ? undefined
      : `expected "${name}" to contain a network Value with between ${min} and ${max} significant bits, got: ${bits}`;
  });
}

/** Returns the network of an address with a prefix length; undefined for malformed text. */
function networkIn(text: string): string | undefined {
  const [, address = '', length = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(text) ?? [];
  const bits = Number(length);
  const parts = address.split('.');
  const isAddress =
    parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  if (!isAddress || length === '' || bits > 32 || String(bits) !== length) return undefined;
  const number = parts.reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const first = Math.floor(number / size) * size;
  return `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`;
}
