#!/usr/bin/env node
// The command `terrane-provider`.
import { nodeHost, ownProcess } from '@terrane/host';
import { main } from './main.ts';

const program = ownProcess();
program.exit(await main(program, nodeHost()));
