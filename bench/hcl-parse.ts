import { deepStrictEqual } from 'node:assert';
import { parseHcl, toJson } from '@terrane/hcl';
import { hclCorpus } from './hcl-corpus.ts';
import { median } from './measure.ts';

const GOAL = 5;
const ROUNDS = 9;

/**
 * The same text to JSON by the HCL toolkit and by the packages of Go code compiled for JavaScript,
 * round about in one process after a first run of each, whose results must be equal. Gives whether
 * the toolkit is at least 5 times as fast as either.
 */
export async function hclParse(scale: number): Promise<boolean> {
  // Loaded here, since they start their Go programs as they are loaded.
  const { parse } = await import('@cdktf/hcl2json');
  const { default: hcl2Parser } = await import('hcl2-parser');
  const text = hclCorpus(Math.max(1, Math.round(150 * scale)));
  const programs = {
    ours: () => toJson(text),
    '@cdktf/hcl2json': () => parse('main.tf', text),
    'hcl2-parser': () => (hcl2Parser.parseToObject(text) as unknown[])[0],
    'parse only': () => parseHcl(text),
  };
  const expected = toJson(text);
  deepStrictEqual(await programs['@cdktf/hcl2json'](), expected);
  deepStrictEqual(programs['hcl2-parser'](), expected);

  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(programs)) {
      const started = performance.now();
      await run();
      const list = times.get(name) ?? [];
      list.push(performance.now() - started);
      times.set(name, list);
    }
  }
  const of = (name: keyof typeof programs): number => median(times.get(name) ?? []);
  const ours = of('ours');
  const ratios = (['@cdktf/hcl2json', 'hcl2-parser'] as const).map((name) => ({
    name,
    ratio: of(name) / ours,
  }));
  const met = ratios.every(({ ratio }) => ratio >= GOAL);
  const shown = ratios.map(
    ({ name, ratio }) => `${name} ${of(name).toFixed(0)} ms, ${ratio.toFixed(1)} times as fast`,
  );
  const kilobytes = (text.length / 1024).toFixed(0);
  process.stdout.write(
    `${'hcl-parse'.padEnd(20)} ${kilobytes} KiB to JSON: ${ours.toFixed(0)} ms (parsed in ${of('parse only').toFixed(0)} ms) · ${shown.join(' · ')} · goal ${GOAL}: ${met ? 'met' : 'MISSED'}\n`,
  );
  return met;
}
