/** Returns a configuration of `count` resources, most of which depend on two earlier ones. */
export function manyResources(count: number): string {
  const input = (n: number): string =>
    n < 100 ? `${n}` : `[terraform_data.r${Math.floor(n / 7)}.id, terraform_data.r${n - 90}.id]`;
  return Array.from(
    { length: count },
    (_, n) => `resource "terraform_data" "r${n}" {\n  input = ${input(n)}\n}\n`,
  ).join('');
}
