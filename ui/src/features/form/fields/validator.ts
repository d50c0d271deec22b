import { type Schema, Validator } from '@cfworker/json-schema'
import {
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils'
import { isNothing } from '../rules/values'

export interface Fault {
  /** Property code; the first step of the instance's path. */
  code: string
  keyword: string
  limit?: unknown
}

/** The words for a fault of a field. */
export type Describe = (fault: Fault) => string

const groups = new Set(['properties', 'items', 'prefixItems', 'allOf', 'anyOf', 'oneOf', 'if', '$ref'])

/** The faults of data under a flat schema, one a field: the deepest keyword says why. */
export function faultsOf(schema: object, data: unknown): Fault[] {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(data ?? {})
  const found = new Map<string, Fault>()
  for (const error of errors) {
    if (groups.has(error.keyword)) continue
    const missing = error.keyword === 'required' ? /"([^"]+)"/.exec(error.error)?.[1] : undefined
    const code = error.instanceLocation.split('/')[1] ?? missing
    if (!code || found.has(code)) continue
    found.set(code, { code, keyword: error.keyword, limit: limitAt(schema, error.keywordLocation) })
  }
  return [...found.values()]
}

/** What the schema says at a keyword: the limit that a text names. */
function limitAt(schema: object, location: string): unknown {
  let at: unknown = schema
  for (const step of location.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step]
  return at
}

const made = new WeakMap<object, Validator>()

/** The first fault of one value under a schema of its own; the schema is prepared once. */
export function faultOf(schema: object, value: unknown): Omit<Fault, 'code'> | null {
  let validator = made.get(schema)
  if (!validator) {
    validator = new Validator(schema as Schema, '2020-12', true)
    made.set(schema, validator)
  }
  const error = validator.validate(value).errors.findLast((one) => !groups.has(one.keyword))
  return error ? { keyword: error.keyword, limit: limitAt(schema, error.keywordLocation) } : null
}

/** A cell of a sub-table that is wrong: the index of its row, and its column. */
export interface FaultyCell {
  row: number
  column: string
}

/** A sentence for a field; of a sub-table with the cells that it speaks of. */
export interface SaidFault {
  code: string
  message: string
  cells?: FaultyCell[]
}

/** What is wrong with fields besides the schema. */
export type MoreFaults = (data: Record<string, unknown>) => SaidFault[]

/**
 * rjsf's validator without generated code, so that it runs under our content security policy. `whole` is the schema with
 * what rjsf is not told of.
 */
export function makeValidator(describe: Describe, whole: RJSFSchema, own: MoreFaults, rows: MoreFaults): ValidatorType {
  const say = ({ code, message, cells }: SaidFault) => ({
    name: 'own',
    property: `.${code}`,
    message,
    stack: message,
    ...(cells ? { params: { cells } } : {}),
  })
  const raw = (_: RJSFSchema, data: unknown): RJSFValidationError[] => {
    // White space alone is empty, and so it is missing.
    const values = Object.fromEntries(
      Object.entries((data ?? {}) as Record<string, unknown>).filter(([, value]) => !isNothing(value)),
    )
    const judged = own(values)
    const said = new Set(judged.map(({ code }) => code))
    return [
      ...judged.map(say),
      ...faultsOf(whole, values)
        .filter(({ code }) => !said.has(code))
        .map((fault) => ({
          name: fault.keyword,
          property: `.${fault.code}`,
          message: describe(fault),
          stack: describe(fault),
        })),
      ...rows(values).map(say),
    ]
  }
  return {
    validateFormData(data, schema, customValidate, transformErrors, uiSchema) {
      let errors = raw(schema, data)
      if (transformErrors) errors = transformErrors(errors, uiSchema)
      const result = { errors, errorSchema: toErrorSchema(errors) }
      if (!customValidate) return result
      const handler = customValidate(data, createErrorHandler(data ?? {}), uiSchema, result.errorSchema)
      return validationDataMerge(result, unwrapErrorHandler(handler))
    },
    isValid: (schema, data) => new Validator(schema as Schema, '2020-12', true).validate(data).valid,
    rawValidation: (schema, data) => ({ errors: raw(schema, data) as never[] }),
  }
}
