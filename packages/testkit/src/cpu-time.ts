/**
 * Returns the processor time of a synchronous computation in milliseconds. Unlike the time that passes, it hardly
 * depends on what else the machine does.
 */
export function cpuMilliseconds(compute: () => unknown): number {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
