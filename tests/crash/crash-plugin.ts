// The provider as a process of its own: what exists is in files, and each change takes a moment.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { serve } from '@terrane/plugin/server';
import { CRASH_PROVIDER, type CrashObject, type CrashObjects, CrashWorld } from './crash-world.ts';

const directory = process.env['CRASH_WORLD'] ?? '.';
const slowest = Number(process.env['CRASH_SLOWEST_MS'] ?? '10');
const objects = join(directory, 'objects');
const underWay = join(directory, 'under-way');
mkdirSync(objects, { recursive: true });
mkdirSync(underWay, { recursive: true });
appendFileSync(join(directory, 'processes'), `${process.pid}\n`);

const fileOf = (id: string): string => join(objects, `${id}.json`);
const read = (path: string): CrashObject => JSON.parse(readFileSync(path, 'utf8')) as CrashObject; // written below

const files: CrashObjects = {
  get: (id) => (existsSync(fileOf(id)) ? read(fileOf(id)) : undefined),
  set(id, object) {
    // An object exists or it does not, also where this process is killed in between.
    const written = join(directory, `${id}.new`);
    writeFileSync(written, JSON.stringify(object));
    renameSync(written, fileOf(id));
    return new Map();
  },
  delete(id) {
    rmSync(fileOf(id), { force: true });
    return true;
  },
  values: () =>
    readdirSync(objects)
      .map((name) => read(join(objects, name)))
      .values(),
  get size() {
    return readdirSync(objects).length;
  },
};

const world = new CrashWorld(files);
let made = 0;
world.newId = () => `id-${process.pid}-${++made}`;
world.pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * slowest));

const provider = world.provider((moment, call) => {
  appendFileSync(join(directory, 'log'), `${moment} ${call}\n`);
});
const { applyResourceChange } = provider;
let calls = 0;
provider.applyResourceChange = async (request) => {
  const mark = join(underWay, `${process.pid}-${++calls}`);
  writeFileSync(mark, '');
  try {
    return await applyResourceChange(request);
  } finally {
    rmSync(mark);
  }
};

await serve(() => provider, { address: CRASH_PROVIDER });
