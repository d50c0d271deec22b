import { describe, expect, it, vi } from 'vitest'
import { isUpload, pictureOf, refusedPicture } from './upload'

const file = (type: string, bytes = 10) => new File([new Uint8Array(bytes)], 'a', { type })

describe('a picture for a template', () => {
  it.each(['image/png', 'image/jpeg', 'image/svg+xml'])('%s is taken', (type) =>
    expect(refusedPicture(file(type))).toBeNull(),
  )

  it('others and large ones are refused before they are sent', () => {
    expect(refusedPicture(file('image/gif'))).toBe('notPicture')
    expect(refusedPicture(file(''))).toBe('notPicture')
    expect(refusedPicture(file('image/png', 1024 * 1024 + 1))).toBe('pictureTooLarge')
  })

  it('is sent as it is, but for drawings that cannot be read', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:a')
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
    const png = file('image/png')
    expect(await pictureOf(png)).toBe(png)
    expect(await pictureOf(file('image/svg+xml'))).toBeNull()
  })

  it('is an upload by its id', () => {
    expect(isUpload('01a20e18-3dfb-7d24-a681-4bcad1863447')).toBe(true)
    expect(isUpload('seal.png')).toBe(false)
  })
})
