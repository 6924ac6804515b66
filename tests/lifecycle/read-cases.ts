// Reads the cases, which stand in files of a plain form of their own; see README.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Case, Exception, Step, StepKind } from '../differential/case.ts';
import { ADDRESS } from './provider/provider.ts';

const here = import.meta.dirname;

const HEADER = `terraform {
  required_providers {
    life = { source = "${ADDRESS}" }
  }
}
`;

interface Draft {
  name: string;
  about: string[];
  steps: { words: string[]; lines: string[] }[];
}

/** All cases, or those whose names begin with one of some texts; `topic` is the file that a case stands in. */
export function lifecycleCases(wanted: readonly string[] = []): (Case & { topic: string })[] {
  const folder = join(here, 'cases');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) =>
      readCases(readFileSync(join(folder, file), 'utf8')).map((each) => ({
        ...each,
        topic: file.replace(/\.txt$/, ''),
      })),
    )
    .filter(
      ({ name, topic }) =>
        wanted.length === 0 || wanted.some((each) => name.startsWith(each) || topic === each),
    );
}

/** Reads the cases of one file. */
export function readCases(text: string): Case[] {
  const drafts: Draft[] = [];
  for (const line of text.split('\n')) {
    const draft = drafts.at(-1);
    const step = draft?.steps.at(-1);
    if (line.startsWith('=== ')) drafts.push({ name: line.slice(4).trim(), about: [], steps: [] });
    else if (line.startsWith('--- '))
      draft?.steps.push({ words: wordsOf(line.slice(4)), lines: [] });
    else if (step !== undefined) step.lines.push(line);
    else if (line.trim() !== '') draft?.about.push(line.trim());
  }
  return drafts.map(caseOf);
}

function wordsOf(line: string): string[] {
  return line.trim().split(/\s+/);
}

function caseOf({ name, about: aboutLines, steps: drafts }: Draft): Case {
  const about = aboutLines.filter((line) => !line.startsWith('except '));
  const files = new Map<string, string>([['versions.tf', HEADER]]);
  const steps = drafts.map(({ words, lines }, index) => {
    const fault = (what: string): Error => new Error(`${name}, step ${index + 1}: ${what}`);
    const [run, ...args] = words;
    const edited = editFiles(files, lines, fault);
    if (index === 0) edited.write.set('versions.tf', HEADER);
    const modules = modulesOf(files);
    if (modules !== undefined) edited.write.set('.terraform/modules/modules.json', modules);
    edited.write.set('control.json', JSON.stringify(edited.control));
    const step: Step = {
      run: run as StepKind,
      args,
      init: false,
      before: {
        remove: edited.remove,
        write: Object.fromEntries(edited.write),
        ...(edited.taint.length > 0 ? { taint: edited.taint } : {}),
        ...(edited.state.length > 0 ? { editState: edited.state } : {}),
      },
    };
    return step;
  });
  if (about.length === 0 || steps.length === 0)
    throw new Error(`${name} has no steps, or says nothing`);
  return {
    name,
    directory: join(here, 'cases', name),
    about: about.join(' '),
    providers: [],
    env: {},
    steps,
    settle: false,
    exceptions: exceptionsOf(aboutLines),
    oracle: undefined,
    calledAs: 'terraform',
    needs: [],
  };
}

/** Lines such as `except events: why` in what a case says of itself; the first word is a regular expression of paths. */
function exceptionsOf(aboutLines: readonly string[]): Exception[] {
  return aboutLines.flatMap((line) => {
    const [, path, reason] = /^except (\S+): (.*)$/.exec(line) ?? [];
    return path === undefined || reason === undefined ? [] : [{ path, reason }];
  });
}

interface Edited {
  readonly write: Map<string, string>;
  readonly remove: string[];
  readonly taint: string[];
  readonly state: [string, string][];
  readonly control: Record<string, Record<string, unknown>>;
}

/** Does to the files what the lines of a step say, and gives what has to be done in the folder. */
function editFiles(
  files: Map<string, string>,
  lines: readonly string[],
  fault: (what: string) => Error,
): Edited {
  const edited: Edited = { write: new Map(), remove: [], taint: [], state: [], control: {} };
  let open: string | undefined;
  const put = (path: string, text: string): void => {
    files.set(path, text);
    edited.write.set(path, text);
  };
  for (const line of lines) {
    const [, sign, rest = ''] = /^([+~@!-]) (.*)$/.exec(line) ?? [];
    if (sign === undefined) {
      if (open !== undefined) put(open, `${files.get(open) ?? ''}${line}\n`);
      else if (line.trim() !== '') throw fault(`what is ${line}`);
      continue;
    }
    open = undefined;
    switch (sign) {
      case '+':
        open = rest.trim();
        put(open, '');
        break;
      case '-':
        files.delete(rest.trim());
        edited.remove.push(rest.trim());
        break;
      case '~': {
        const [, path = 'main.tf', from = '', to = ''] =
          /^(?:(\S+\.tf): )?(.*?) => ?(.*)$/.exec(rest) ?? [];
        const text = files.get(path) ?? '';
        const wanted = unescaped(from);
        if (wanted === '' || !text.includes(wanted)) throw fault(`${path} has no ${from}`);
        put(
          path,
          text.replace(wanted, () => unescaped(to)),
        );
        break;
      }
      case '@': {
        const [, object = '', occasion = '', what = ''] =
          /^(\S+) ([a-z ]+): (.*)$/.exec(rest) ?? [];
        if (occasion === '') throw fault(`what is @ ${rest}`);
        const behaviour: unknown = what.startsWith('{') ? JSON.parse(what) : what;
        edited.control[object] = { ...edited.control[object], [occasion]: behaviour };
        break;
      }
      default: {
        const [, word = '', text = ''] = /^(\S+) (.*)$/.exec(rest) ?? [];
        if (word === 'taint') edited.taint.push(text);
        else if (word === 'forget') edited.remove.push(text);
        else if (word === 'state') {
          const [from = '', to = ''] = text.split(' => ');
          edited.state.push([unescaped(from), unescaped(to)]);
        } else if (word === 'cloud') {
          const [, id = '', json = ''] = /^(\S+) (.*)$/.exec(text) ?? [];
          edited.write.set(`cloud/${id}.json`, json);
        } else throw fault(`what is ! ${rest}`);
      }
    }
  }
  return edited;
}

function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n');
}

/** The manifest that `init` would write of local modules, without it asking for providers. */
function modulesOf(files: ReadonlyMap<string, string>): string | undefined {
  const entries = [{ Key: '', Source: '', Dir: '.' }];
  const visit = (folder: string, prefix: string): void => {
    for (const [path, text] of files) {
      if (dirname(path) !== (folder === '' ? '.' : folder) || !path.endsWith('.tf')) continue;
      for (const [, name = '', body = ''] of text.matchAll(/^module "(\w+)" \{\n([^]*?)^\}/gm)) {
        const source = /^\s*source\s*=\s*"([^"]*)"/m.exec(body)?.[1] ?? '';
        const inner = join(folder, source);
        const key = prefix === '' ? name : `${prefix}.${name}`;
        entries.push({ Key: key, Source: source, Dir: inner });
        visit(inner, key);
      }
    }
  };
  visit('', '');
  return entries.length === 1 ? undefined : JSON.stringify({ Modules: entries });
}
