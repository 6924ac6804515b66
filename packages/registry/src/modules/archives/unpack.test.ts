import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { nodeHost } from '@terrane/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveKind } from './archive-kind.ts';
import { unzip } from '../../providers/unzip.ts';
import { unpack } from './unpack.ts';

const { files } = nodeHost();
let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'unpack-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
  /** default: a file */
  readonly type?: string;
  readonly target?: string;
}

function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, content, type = '0', target = '' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(target, 157);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((a, b) => a + b, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Creates a zip archive; `size` is the declared size of its files, if it is wrong. */
function zip(entries: readonly Entry[], size?: number): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2); // names in UTF-8
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, common, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

const unpacked = (text: string): Buffer => gunzipSync(Buffer.from(text, 'base64'));

// A tar archive of main.tf with 8 MiB and with 100 bytes of zeros, packed by the programs themselves.
const XZ_BOMB = unpacked(
  'H4sIAAAAAAACA/trXhURxcDA8uzaFjcmBkVGGQYGBoHzEWf+/89hnBbLYDbDs6iV6dKLhz5XrHyPHF2xNediC6Pi3h6mmBfLuiao7jtnYHCF12v6Hba9yw9OMnum573x1nKlu8c79aesv8J/VrAw4nFUwl7jnbevXRfZpblv6qze4luq59KfTyn3uJjmd55DSdzW+V9MfLSKg8ee6Vfklh0ofbG2vm7lS62eisPJZtt/b5tVnHYg9Yhq8I+vE80MWZdueJd/sMDXnefiRMFVaxNkd53bqC4RE9n2Mi0oYt/LsjWRT55Gs3L8PH5r7Z/fQdolZ+WiFZx+3g22/aGZwmndcFor5/5W6w9H9urFr+K3805zmiDM919g8o/Cisgf3Gf/T9Vw41/5p+be71kGemEH+ls/NzcORqvjTollzP8vwKjN8KY4ePnffetqDKXmb+81zCuYt1w5/o3G6daLU2d01WlN/KRe+l3yANsM3xl/b6y/OoF/pIZiIL/9ptEAGw0w2gZYg3I8AxvDG6efe2cxgIDbv2h5lU/+1gyMF7kaDjSw3K+fL7DxSPpvJpAkS2QUAFbH0cl4BQAA',
);
const BZIP2_BOMB = unpacked(
  'H4sIAAAAAAACAwFuAJH/QlpoOTFBWSZTWaLXIn0BAWBboMiAQAF1gAAgYSMeABAAAAggAHUJTU1ADT1D1NNAqVA0mAhhpvSskkIAsuIIgDTnXGfKUQQYAAQKdnGdDEUzTOkcxg+8ZOibE3tS9fK5AiAPRdyRThQkKLXIn0Bcql+ZbgAAAA==',
);
const XZ_SMALL = unpacked(
  'H4sIAAAAAAACAwGYAGf//Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AFhdADaYSXKFAtLo4UzUOk3Exai1bNFE7FGAr//HIErMRV9yaGCkR66zJd7ymI6xuR7BItqrVKzsbw15XuIdqD+SpNkykWcrnlt5+4Ues6huTQkTKwOOiy/nCAAAUp19zchb9wgAAXSAUAAAADokDSmxxGf7AgAAAAAEWVpZVdiYmAAAAA==',
);
const BZIP2_SMALL = unpacked(
  'H4sIAAAAAAACAwFoAJf/QlpoOTFBWSZTWYmpIiwAAHB7gMyAABBAAX2AACBhIx4AAAggAFQ0p6mjNE0ZoDUEkmpkZNA0NB9acBIGdCEVvriNOUkCGBi9XE7CLQQfi1CBVe/gZ2M30bNtkIiA/F3JFOFCQiakiLB+VcdkaAAAAA==',
);

const zeros = (size: number): readonly Entry[] => [
  { name: 'main.tf', content: new Uint8Array(size) },
];
const LIMIT = 1024 * 1024;

describe.each([
  ['zip', zip(zeros(8 * LIMIT)), zip(zeros(100))],
  ['tar.gz', gzipSync(tar(zeros(8 * LIMIT))), gzipSync(tar(zeros(100)))],
  ['tar.bz2', BZIP2_BOMB, BZIP2_SMALL],
  ['tar.xz', XZ_BOMB, XZ_SMALL],
] satisfies (readonly [ArchiveKind, Uint8Array, Uint8Array])[])(
  'a %s archive',
  (kind, bomb, small) => {
    it('is unpacked', async () => {
      await unpack(files, kind, small, directory, 'a', LIMIT);
      expect(readFileSync(join(directory, 'main.tf'))).toEqual(Buffer.alloc(100));
    });

    it('is rejected if it exceeds the limit', async () => {
      await expect(unpack(files, kind, bomb, directory, 'a', LIMIT)).rejects.toThrow(
        'the archive unpacks to more than 1048576 bytes',
      );
      const [name] = readdirSync(directory);
      if (name !== undefined) {
        expect(readFileSync(join(directory, name)).length).toBeLessThanOrEqual(LIMIT);
      }
    });

    it('is rejected if it is truncated', async () => {
      const cut = small.subarray(0, small.length - 30);
      await expect(unpack(files, kind, cut, directory, 'a', LIMIT)).rejects.toThrow();
    });
  },
);

it('a file of many pieces is unpacked completely', async () => {
  const content = Buffer.alloc(5 * LIMIT, 'abcdefg');
  for (const [kind, archive] of [
    ['zip', zip([{ name: 'large', content }])],
    ['tar.gz', gzipSync(tar([{ name: 'large', content }]))],
  ] as const) {
    await unpack(files, kind, archive, directory, 'a');
    expect(readFileSync(join(directory, 'large')).equals(content)).toBe(true);
  }
});

it('the default limit is by the size of the archive', async () => {
  const archive = gzipSync(tar(zeros(300 * LIMIT)), { level: 1 });
  await expect(unpack(files, 'tar.gz', archive, directory, 'a')).rejects.toThrow(
    'the archive unpacks to more than 268435456 bytes',
  );
});

it('a zip archive with wrong sizes of its files is rejected', async () => {
  const archive = zip(zeros(8 * LIMIT), 10);
  await expect(unpack(files, 'zip', archive, directory, 'a', LIMIT)).rejects.toThrow('zip');
  expect(readdirSync(directory)).toEqual([]);
});

it.each(['../outside', 'a/../../outside', '/../outside', '..\\outside'])(
  'an entry %j is not unpacked outside of the directory',
  async (name) => {
    const inside = join(directory, 'in', 'side');
    const entries = [{ name, content: Buffer.from('x') }];
    for (const [kind, archive] of [
      ['zip', zip(entries)],
      ['tar.gz', gzipSync(tar(entries))],
    ] as const) {
      await unpack(files, kind, archive, inside, 'a').catch(() => undefined);
    }
    expect(existsSync(join(directory, 'outside'))).toBe(false);
    expect(existsSync(join(directory, 'in', 'outside'))).toBe(false);
  },
);

it.each([
  ['1', 'a hard link'],
  ['2', 'a symbolic link'],
])('an entry of the type %s (%s) leads nowhere', async (type) => {
  const inside = join(directory, 'inside');
  const link = { name: 'link', content: new Uint8Array(), type, target: '..' };
  const through = { name: 'link/outside', content: Buffer.from('x') };
  await unpack(files, 'tar.gz', gzipSync(tar([link, through])), inside, 'a').catch(() => undefined);
  expect(existsSync(join(directory, 'outside'))).toBe(false);
});

describe.each(['windows', 'macos'] as const)('by the rules of %s', (nameRules) => {
  const platformFiles = { ...files, nameRules };
  const archivesOf = (entries: readonly Entry[]): readonly (readonly [ArchiveKind, Buffer])[] => [
    ['zip', zip(entries)],
    ['tar.gz', gzipSync(tar(entries))],
  ];

  it.each(['C:evil', 'main.tf:hidden', '.. /outside', 'nul.tf', 'a\\..\\..\\outside'])(
    'an entry %j is rejected because it would be another file',
    async (name) => {
      const isRefused = nameRules === 'windows' || name.includes('\\..\\');
      for (const [kind, archive] of archivesOf([{ name, content: Buffer.from('x') }])) {
        const done = unpack(platformFiles, kind, archive, join(directory, 'in'), 'a');
        if (isRefused) await expect(done).rejects.toThrow(/does not allow|contains '\.\.'/);
        else await done;
        const module = unzip(platformFiles, await written(archive), await empty());
        if (kind === 'zip' && isRefused) await expect(module).rejects.toThrow(/entry/);
        else await module.catch(() => undefined);
      }
    },
  );

  it.each([
    ['main.tf', 'Main.tf'],
    ['a/main.tf', 'A/main.tf'],
    ['a/x', 'A'],
  ])('entries %j and %j do not overwrite each other', async (first, other) => {
    const entries = [first, other].map((name) => ({ name, content: Buffer.from(name) }));
    for (const [kind, archive] of archivesOf(entries)) {
      await expect(
        unpack(platformFiles, kind, archive, join(directory, 'in'), 'a'),
      ).rejects.toThrow('names are the same on this system');
    }
    if (first === 'main.tf') {
      await expect(
        unzip(platformFiles, await written(zip(entries)), await empty()),
      ).rejects.toThrow('two entries with the same name');
    }
  });

  it('an entry may be there twice, as anywhere', async () => {
    const entries = ['old', 'new'].map((text) => ({ name: 'a/b', content: Buffer.from(text) }));
    for (const [kind, archive] of archivesOf(entries)) {
      await unpack(platformFiles, kind, archive, join(directory, 'in'), 'a');
      expect(readFileSync(join(directory, 'in/a/b'), 'utf8')).toBe('new');
    }
  });
});

it('names in two forms of Unicode are one file on macOS, and in providers everywhere', async () => {
  const entries = ['\u00e9', 'e\u0301'].map((name) => ({ name, content: Buffer.from(name) }));
  const done = unpack({ ...files, nameRules: 'macos' }, 'zip', zip(entries), directory, 'a');
  await expect(done).rejects.toThrow('names are the same on this system');
  await expect(unzip(files, await written(zip(entries)), await empty())).rejects.toThrow(
    'two entries with the same name',
  );
});

async function written(archive: Uint8Array): Promise<string> {
  const path = join(directory, 'archive.zip');
  await files.writeFile(path, archive);
  return path;
}

async function empty(): Promise<string> {
  const path = join(directory, 'provider');
  await files.removeTree(path);
  await files.makeDirectory(path);
  return path;
}
