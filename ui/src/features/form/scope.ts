import type { Scope } from '@/lib/expression'
import type { TextContext } from '@/sdk/property'
import type { Values } from './values'

/** The form's values as expressions see them: entries by their id, sub-tables as rows. */
export function formScope(context: TextContext): (values: Values) => Scope {
  return (values) => scopeOf(values, context)
}

function scopeOf(values: Values, context: TextContext): Scope {
  return {
    column: (field) => (field.path?.length || field.old ? null : columnValue(values, field.column)),
    rows: (sheet) => {
      const rows = values[sheet]
      return Array.isArray(rows) ? rows.map((row) => scopeOf(row as Values, context)) : []
    },
    variable: (name) => (name === 'today' ? today(context.zone) : name === 'now' ? new Date().toISOString() : null),
  }
}

const idOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'id' in value ? (value as { id: unknown }).id : value

function columnValue(values: Values, column: string): unknown {
  const [code = '', part] = column.split('__')
  const value = values[code]
  if (value === undefined || value === null) return null
  if (part) return (value as Values)[part] ?? null
  if (Array.isArray(value)) return value.map(idOf)
  if (typeof value === 'object' && 'code' in value) return (value as Values).code
  return idOf(value)
}

/** The day in the installation's zone. */
function today(zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
}
