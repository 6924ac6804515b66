import { memoryFiles } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { readTargetFile } from './target-files.ts';
