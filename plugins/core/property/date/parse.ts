import { displayFormatOf, type FormField, kindOfFormat, type ParseContext, readDate } from '@sluice/sdk'

/** The day or moment that a text says. */
export const parseText = (text: string, field: FormField, { zone }: ParseContext): string | undefined =>
  readDate(text, kindOfFormat(displayFormatOf(field) ?? 'yyyy-MM-dd'), { zone })
