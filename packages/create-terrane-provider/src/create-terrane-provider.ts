#!/usr/bin/env node
// The command `create-terrane-provider`, which `npm create terrane-provider` runs.
import { nodeHost, ownProcess } from '@terrane/host';
import { fileURLToPath } from 'node:url';
import { main } from './main.ts';

const program = ownProcess();
const template = fileURLToPath(new URL('../template', import.meta.url));
program.exit(await main(program, nodeHost(), template));
