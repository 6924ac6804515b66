/**
 * Writes a copy of compiled code that V8 accepts under the options that this process runs with:
 * `node OPTION... scripts/adapt-code.mjs SOURCE CODE OUTPUT`. V8 refuses compiled code that was recorded under other
 * options, by a digest of them. The options must not change the code that V8 generates. Throws if V8 rejects the copy.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Offset of the digest of V8's options in compiled code. */
const OPTIONS_DIGEST = 12;

const [, , source = '', code = '', output = ''] = process.argv;
const cachedData = readFileSync(code);
const digest = new Script('0').createCachedData().subarray(OPTIONS_DIGEST, OPTIONS_DIGEST + 4);
digest.copy(cachedData, OPTIONS_DIGEST);
if (new Script(readFileSync(source, 'latin1'), { cachedData }).cachedDataRejected === true)
  throw new Error(`V8 rejects ${code}`);
writeFileSync(output, cachedData);
