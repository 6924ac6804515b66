#!/usr/bin/env node
// The command `terrane-provider`.
import { nodeHost, ownProcess } from '@terrane/host';
import { main } from './main.ts';

const own = ownProcess();
own.exit(await main(own, nodeHost()));
