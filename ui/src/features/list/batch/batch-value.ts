const idOf = (one: unknown) =>
  typeof one === 'object' && one !== null && 'id' in one ? (one as { id: unknown }).id : one

/** A new value as the call takes it: yes and no as 1 and 0, several choices or people joined with ";". */
export function batchValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (!Array.isArray(value)) return value
  const members = value.map(idOf)
  return members.every((one) => typeof one === 'string') ? members.join(';') : value
}
