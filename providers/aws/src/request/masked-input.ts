/** Names of arguments whose values identify the subject of a request, and are not secret. */
const SHOWN =
  /(^|[a-z])(Ids?|Names?|Arns?|ARN|Type|CidrBlock|Cidr|QueueUrl|TopicArn|Bucket|Path|Marker|NextToken|MaxResults|MaxItems|Engine|Version|Protocol|Zone|Effect|Status|Port|DryRun)$|^(name|arn|Action|Key)$/;

const HIDDEN = '***';
const MAX_DEPTH = 4;

/**
 * Returns the input of a request for logs: its structure, with the values of names and ids only. All other values are
 * masked, because any of them may contain passwords, keys or documents.
 */
export function maskedInput(input: unknown, name = '', depth = 0): unknown {
  if (input === undefined || input === null) return input;
  if (Array.isArray(input)) {
    return depth >= MAX_DEPTH ? HIDDEN : input.map((each) => maskedInput(each, name, depth + 1));
  }
  if (input instanceof Uint8Array) return HIDDEN;
  if (typeof input === 'object') {
    if (depth >= MAX_DEPTH) return HIDDEN;
    return Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, maskedInput(value, key, depth + 1)]),
    );
  }
  if (typeof input === 'boolean') return input;
  return SHOWN.test(name) ? input : HIDDEN;
}
