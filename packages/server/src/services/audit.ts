import { principalName, type Principal } from '../access/principal.ts';
import { newId, type Services } from './services.ts';

/** An entry of the audit log. Details never contain secrets. */
export interface AuditEntry {
  readonly organizationId: string | null;
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Appends to the audit log. */
export async function audit(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  principal: Principal,
  { organizationId, action, type, id, details = {} }: AuditEntry,
): Promise<void> {
  const { id: actorId, name } = principalName(principal);
  await services.db
    .insertInto('audit')
    .values({
      id: newId(services, 'ae'),
      organization_id: organizationId,
      actor_id: actorId,
      actor: name,
      action,
      subject_type: type,
      subject_id: id,
      details: JSON.stringify(details),
      created_at: services.clock.now(),
    })
    .execute();
}
