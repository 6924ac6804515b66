/** A time as the state has it: to the second, in UTC. */
export function iamTime(time: Date | undefined): string {
  return time === undefined ? '' : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
