/** Photographs that wait for their record, by its token: a browser keeps no files for us, so they are there until the page is closed. */
export const photosOf = new Map<string, File[]>()
