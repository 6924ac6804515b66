// The examples of docs/refactoring.md are outputs of the built program.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectDocumented } from '../documented.ts';
import { Place } from '../modules/both-programs.ts';

let place: Place;
beforeAll(async () => {
  place = await Place.make();
});
afterAll(() => place.remove());

const NETWORK = `# The network.
resource "terraform_data" "net" {
  input = "10.0.0.0/16"
}

resource "terraform_data" "subnet" {
  for_each = toset(["a", "b"])
  input    = "\${terraform_data.net.output}:\${each.key}"
}

resource "terraform_data" "server" {
  input = terraform_data.subnet["a"].output
}

output "network" {
  value = terraform_data.net.output
}
`;

it('docs/refactoring.md shows the output of the commands', async () => {
  const renamed = NETWORK.replaceAll(/"net"|\.net\b/g, (text) => text.replace('net', 'network'));
  const blocks: string[] = [];
  for (const [line, text] of [
    ['refactor moved -write', renamed],
    [
      'refactor extract -to=modules/network -write terraform_data.net terraform_data.subnet',
      NETWORK,
    ],
    ['refactor split -to=network -write terraform_data.net terraform_data.subnet', NETWORK],
  ] as const) {
    const { runs } = await place.ownName({
      files: { 'main.tf': NETWORK },
      steps: [['apply', '-auto-approve'], line.split(' '), ['plan']],
      changes: { 1: { 'main.tf': text } },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs[2]?.output).toMatch(/No changes\.|0 to add, 0 to change, 0 to destroy/);
    // Ids are random.
    const output = runs[1]?.output.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
    blocks.push(`$ terrane ${line}\n${output ?? ''}`);
  }
  await expectDocumented('refactoring.md', blocks);
});
