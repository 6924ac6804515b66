// All services whose resource types have consistency rules.
import type { ServiceRules } from './rules.ts';
import { EC2 } from './ec2.rules.ts';
import { VPC } from './vpc.rules.ts';

export const SERVICES: readonly ServiceRules[] = [EC2, VPC];
