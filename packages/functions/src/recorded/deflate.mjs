// Writes deflate.json: the output of Go's compress/gzip for the samples. Needs `go` on PATH:
//   npm run ts -- packages/functions/src/recorded/deflate.mjs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleText } from './deflate-samples.ts';

const PROGRAM = `package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		text, _ := base64.StdEncoding.DecodeString(lines.Text())
		var made bytes.Buffer
		writer := gzip.NewWriter(&made)
		writer.Write(text)
		writer.Flush()
		writer.Close()
		fmt.Println(base64.StdEncoding.EncodeToString(made.Bytes()))
	}
}
`;
const sizes = [0, 1, 3, 4, 10, 17, 100, 1000, 20_000, 32_768, 65_535, 65_536, 70_000, 200_000];
const kinds = ['pair', 'letters', 'noise', 'squares', 'words'];
const names = kinds.flatMap((kind) => sizes.map((size) => `${kind} ${size}`));
const folder = mkdtempSync(join(tmpdir(), 'deflate-'));
writeFileSync(join(folder, 'main.go'), PROGRAM);
const input = names.map((name) => `${sampleText(name).toString('base64')}\n`).join('');
const run = spawnSync('go', ['run', 'main.go'], { cwd: folder, input, maxBuffer: 2 ** 30 });
rmSync(folder, { recursive: true });
const lines = run.stdout.toString().split('\n');
const recorded = Object.fromEntries(
  names.map((name, index) => {
    const whole = Buffer.from(lines[index] ?? '', 'base64');
    const body = whole.subarray(10, -8);
    const sha256 = createHash('sha256').update(body).digest('hex');
    return [name, { length: body.length, sha256 }];
  }),
);
const target = new URL('deflate.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(recorded, undefined, 2)}\n`);
