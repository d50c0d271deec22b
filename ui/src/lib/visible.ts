/** A text without the marks of no width that other programs leave in texts: a person reads none, and means none (Visible in engine/property). */
export const visible = (text: string) => text.replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
