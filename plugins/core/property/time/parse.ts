import { type ParseContext, readDate } from '@sluice/sdk'

/** The time of day that a text says, "HH:mm:ss" on the wire. */
export const parseText = (text: string, { zone }: ParseContext): string | undefined => readDate(text, 'time', { zone })
