import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { joinParts, type Part } from './join-parts.ts';

/** Runs what was made of parts with a console of its own; gives what the parts told it, when all is done. */
async function messagesOf(
  parts: readonly Part[],
  seldom: readonly string[] = [],
): Promise<string[]> {
  const lines: string[] = [];
  const require = (name: string): unknown =>
    name === 'tell'
      ? (line: string) => lines.push(line)
      : name.startsWith('node:')
        ? (lines.push(`loads ${name}`),
          {
            known: name,
            crc32: (text: string) => `sum of ${text}`,
            constants: { known: `constant of ${name}` },
          })
        : { known: name };
  const made = joinParts(parts, 'entry.js', (name) => seldom.includes(name));
  const program: unknown = runInThisContext(made.program);
  if (typeof program !== 'function') throw new TypeError('the program is no function');
  const readSeldom = (): unknown => {
    lines.push('(reads what is seldom needed)');
    return runInThisContext(made.seldom);
  };
  program(require, '/here/file', '/here', readSeldom);
  await new Promise((done) => setImmediate(done));
  return lines;
}

const load = createRequire(import.meta.url);

const tell = 'import tell from "tell";';

test('a part runs once, on first use, before its importer', async () => {
  const parts = [
    {
      name: 'entry.js',
      text: `import{b}from"./b.js";import{c as d}from"./c.js";${tell}tell("entry "+b+d);`,
    },
    { name: 'b.js', text: `import{c}from"./c.js";${tell}tell("b");let b="b"+c;export{b};` },
    { name: 'c.js', text: `${tell}tell("c");const c="c";export{c};` },
    { name: 'never.js', text: `${tell}tell("never");` },
  ];
  expect(await messagesOf(parts)).toEqual(['c', 'b', 'entry bcc']);
});

test('declarations of a part do not hide the functions of the script', async () => {
  const lines = await messagesOf([
    {
      name: 'entry.js',
      text: `import tell from"tell";import{crc32}from"node:zlib";import*as fs from"node:fs/promises";function functionOf(){}function moduleOf(){}function namespaceOf(){}tell(crc32("a"));tell(fs.known);import("tell").then(its=>tell(typeof its.default))`,
    },
  ]);
  expect(lines.filter((line) => !line.startsWith('loads'))).toEqual([
    'sum of a',
    'node:fs/promises',
    'function',
  ]);
});

test('costly built-in modules are loaded when they are first used', async () => {
  const lines = await messagesOf([
    {
      name: 'entry.js',
      text: `import tell from"tell";import{crc32 as sum,constants}from"node:zlib";import*as fs from"node:fs/promises";tell("entry");tell(fs.known);tell(constants.known)`,
    },
  ]);
  expect(lines).toEqual([
    'entry',
    'loads node:fs/promises',
    'node:fs/promises',
    'loads node:zlib',
    'constant of node:zlib',
  ]);
  const used = await messagesOf([
    {
      name: 'entry.js',
      text: `import tell from"tell";import{crc32 as sum}from"node:zlib";tell("entry");tell(sum("abc"))`,
    },
  ]);
  expect(used).toEqual(['entry', 'loads node:zlib', 'sum of abc']);
});

test('import() returns a part, and reads the second script if it contains the part', async () => {
  const parts = [
    {
      name: 'entry.js',
      text: `${tell}import("./rare.js").then(({default:whole,x})=>tell(whole+x));tell("entry");`,
    },
    {
      name: 'rare.js',
      text: `import{y}from"./y.js";function x(){return y}let z=x(),two=1+1;export{two as default,z as x};`,
    },
    { name: 'y.js', text: `const y=" and more";export{y};` },
  ];
  expect(await messagesOf(parts, ['rare.js'])).toEqual([
    'entry',
    '(reads what is seldom needed)',
    '2 and more',
  ]);
});

test('a function with a promise form of its own keeps it', async () => {
  const { program } = joinParts(
    [
      {
        name: 'entry.js',
        text: `import{generateKeyPair}from"node:crypto";import{promisify}from"node:util";import tell from"tell";promisify(generateKeyPair)("ed25519",{}).then(tell);`,
      },
    ],
    'entry.js',
    () => false,
  );
  const run: unknown = runInThisContext(program);
  if (typeof run !== 'function') throw new TypeError('the program is no function');
  const keys = await new Promise((done) => {
    run((name: string): unknown => (name === 'tell' ? done : load(name)), '/here/file', '/here');
  });
  expect(keys).toMatchObject({ publicKey: expect.anything(), privateKey: expect.anything() });
});

test('import() of a CommonJS part returns its members, and its exports as default', async () => {
  const parts = [
    {
      name: 'entry.js',
      text: `${tell}import("./old.js").then(({member,default:its})=>tell(member+its.member));`,
    },
    { name: 'old.js', text: `var make=()=>({member:"a"});export default make();` },
  ];
  expect(await messagesOf(parts)).toEqual(['aa']);
});

test('import() of a module that is no part returns its members, and its exports as default', async () => {
  const text = `${tell}import("./library.cjs").then(({known,default:its})=>tell(known+its.known));`;
  expect(await messagesOf([{ name: 'entry.js', text }])).toEqual(['./library.cjs./library.cjs']);
});

test('parts of either script may ask where they are', async () => {
  const parts = [
    { name: 'entry.js', text: `${tell}import("./rare.js");tell("entry in "+__dirname);` },
    { name: 'rare.js', text: `${tell}tell("rare in "+__filename);` },
  ];
  expect(await messagesOf(parts, ['rare.js'])).toEqual([
    'entry in /here',
    '(reads what is seldom needed)',
    'rare in /here/file',
  ]);
});

test('re-exports of another part are passed on', async () => {
  const parts = [
    { name: 'entry.js', text: `import{here}from"./on.js";${tell}tell(here);` },
    { name: 'on.js', text: `import{there}from"./there.js";export{there as here};` },
    { name: 'there.js', text: `const there="there";export{there};` },
  ];
  expect(await messagesOf(parts)).toEqual(['there']);
});

test('an export that changes later is refused, as importers take it once', () => {
  const parts = [
    { name: 'entry.js', text: 'let count=0;function more(){count++}export{count,more};' },
  ];
  expect(() => joinParts(parts, 'entry.js', () => false)).toThrow(
    'entry.js: the export count is assigned to later',
  );
});

test('a file with a syntax error is rejected by name', () => {
  const parts = [{ name: 'entry.js', text: 'let = ;' }];
  expect(() => joinParts(parts, 'entry.js', () => false)).toThrow(/^entry\.js: /);
});
