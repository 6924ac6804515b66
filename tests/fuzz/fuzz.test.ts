import { expect, test } from 'vitest';
import { Workbench } from 'terrane/testing';
import { attempt } from './attempt.ts';
import { Chance } from './chance.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateBytes, mutateText } from './mutate-text.ts';
import { faultOf, TARGETS } from './targets.ts';

test('the same seed generates the same input', () => {
  const texts = [1, 2].map(() => mutateText(new Chance(7), 'a = [1, 2]\n', 'b = "x"\n'));
  expect(texts[0]).toBe(texts[1]);
  const states = [1, 2].map(() => mutateJson(new Chance(9), '{"a":[1,{"b":null}],"c":"text"}'));
  expect(states[0]).toBe(states[1]);
});

test('mutated inputs of many seeds usually differ from the original', () => {
  const text = 'resource "x" "y" {\n  a = 1\n}\n';
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);
  const changed = seeds.filter((seed) => mutateText(new Chance(seed), text, text) !== text);
  expect(changed.length).toBeGreaterThan(150);
  const bytes = Buffer.from(text);
  const broken = seeds.filter((seed) => !bytes.equals(mutateBytes(new Chance(seed), bytes)));
  expect(broken.length).toBeGreaterThan(150);
});

test('forbidden behavior is a fault', () => {
  const quiet = { stdout: '', stderr: '' };
  expect(faultOf('plan', { code: 1, ...quiet })).toMatch('failed without a word');
  expect(faultOf('plan', { code: 134, ...quiet })).toMatch('exit code 134');
  expect(faultOf('plan', { code: 0, ...quiet, stdout: 'x = [object Object]' })).toMatch('inside');
  expect(faultOf('validate -json', { code: 0, ...quiet, stdout: '{' })).toMatch('no JSON');
  const silent = { code: 1, stdout: '{"@level":"info"}\n', stderr: '' };
  expect(faultOf('plan -json', silent)).toMatch('without an error');
  expect(faultOf('plan', { code: 1, ...quiet, stderr: 'Error: no' })).toBeUndefined();
});

test('an exception is an error, reported with its seed’s target', async () => {
  const { run } = Workbench.prototype;
  Workbench.prototype.run = () => Promise.reject(new TypeError('a fault of ours'));
  try {
    const { target, fault } = await attempt(3, ['expression']);
    expect(target).toBe('expression');
    expect(fault).toMatch('a fault of ours');
  } finally {
    Workbench.prototype.run = run;
  }
});

test.each(TARGETS.map(({ name }) => name))('a first sample finds nothing: %s', async (name) => {
  for (let seed = 1; seed <= 12; seed++) {
    expect(await attempt(seed, [name])).toStrictEqual({ target: name, fault: undefined });
  }
});
