import { expect, test } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const commandsOf = (project: TestProject): string[] =>
  project.provisioned.map(({ config }) => config.attr('command').asString());

function thing(provisioners: string): string {
  return `resource "test_thing" "a" {\n  name = "a"\n  ${provisioners}\n}\n`;
}

test('an object is recorded as tainted before its provisioners run, and untainted after them', async () => {
  const project = new TestProject();
  project.write(thing('provisioner "local-exec" {\n command = "do ${self.name}"\n }'));
  expect(errorsOf(await project.apply())).toEqual([]);
  expect(commandsOf(project)).toEqual(['do a']);
  const statuses = project.events.flatMap((event) =>
    event.kind === 'put' ? [event.object.status] : [],
  );
  expect(statuses).toEqual(['tainted', 'ready']);
});

test('a provisioner that fails leaves a tainted object, and those behind it do not run', async () => {
  const project = new TestProject();
  const provisioner = (command: string): string =>
    `provisioner "local-exec" {\n command = "${command}"\n }\n`;
  project.write(thing(provisioner('fail') + provisioner('never')));
  expect(errorsOf(await project.apply())).toEqual(['It failed: ']);
  expect(commandsOf(project)).toEqual(['fail']);
  const { lines } = await project.plan();
  expect(lines).toEqual(['delete-then-create test_thing.a: replace_because_tainted']);
});

test('a tainted object is destroyed without its destroy-time provisioners', async () => {
  const project = new TestProject();
  project.write(
    thing(`provisioner "local-exec" {
    command = "fail"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "leaving"
  }`),
  );
  await project.apply();
  expect(errorsOf(await project.apply({ mode: 'destroy' }))).toEqual([]);
  expect(commandsOf(project)).toEqual(['fail']);
  expect(project.world.objects.size).toBe(0);
});

test('a destroy-time provisioner that fails keeps the object', async () => {
  const project = new TestProject();
  project.write(thing('provisioner "local-exec" {\n when = destroy\n command = "fail"\n }'));
  await project.apply();
  expect(errorsOf(await project.apply({ mode: 'destroy' }))).toEqual(['It failed: ']);
  expect(project.world.objects.size).toBe(1);
  expect(project.state.isEmpty).toBe(false);
});

test('a provisioner receives unmarked values, and its output is hidden if it could reveal secrets', async () => {
  const project = new TestProject();
  project.write(thing('provisioner "local-exec" {\n command = "do ${sensitive("hunter2")}"\n }'));
  project.onProvision = (request) => request.output('hunter2');
  expect(errorsOf(await project.apply())).toEqual([]);
  expect(commandsOf(project)).toEqual(['do hunter2']);
  const shown = project.runEvents.flatMap((event) =>
    event.kind === 'provision-progress' ? [event.output] : [],
  );
  expect(shown).toEqual(['(output suppressed due to sensitive value in config)']);
});
