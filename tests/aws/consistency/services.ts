// All services whose resource types have consistency rules.
import type { ServiceRules } from './rules.ts';
import { VPC } from './vpc.rules.ts';

export const SERVICES: readonly ServiceRules[] = [VPC];
