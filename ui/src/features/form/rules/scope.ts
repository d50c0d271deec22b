import { ExpressionError, type Scope } from '@/lib/expression'
import type { TextContext } from '@/sdk/property'
import type { Values } from './values'

/** Values of related records, by their paths, as the server gave them for the form; null before it has. */
export type Operands = Record<string, unknown> | null

/**
 * The form's values as expressions see them: entries by their id, sub-tables as rows. What a related record holds is known
 * where the server told it; else the expression fails, and only the server can tell.
 */
export function formScope(context: TextContext, operands: Operands = null): (values: Values) => Scope {
  return (values) => scopeOf(values, context, operands)
}

function scopeOf(values: Values, context: TextContext, operands: Operands): Scope {
  return {
    column: (field) => {
      if (field.path?.length) return farValue(operands, field.path, field.column)
      return field.old ? null : columnValue(values, field.column)
    },
    rows: (sheet) => {
      const rows = values[sheet]
      return Array.isArray(rows) ? rows.map((row) => scopeOf(row as Values, context, null)) : []
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

function farValue(operands: Operands, path: string[], column: string): unknown {
  const [code = ''] = column.split('__')
  const key = [...path, code].join('.')
  if (!operands || !(key in operands)) throw new ExpressionError(`${key} is not known here`)
  return columnValue({ [code]: operands[key] }, column)
}

/** The day in the installation's zone. */
function today(zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
}
