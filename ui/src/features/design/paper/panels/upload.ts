// What can be brought as a picture of a template. The server holds the limits too: what is refused here needs no upload.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the name of a picture is the id of an upload. */
export const isUpload = (name: string) => UUID.test(name)

const SVG = 'image/svg+xml'
export const TYPES = ['image/png', 'image/jpeg', SVG]
const MOST = 1024 * 1024

/** Why a file can't be a picture of a template; null: it can. */
export function refusedPicture(file: File) {
  if (!TYPES.includes(file.type)) return 'notPicture'
  return file.size <= MOST ? null : 'pictureTooLarge'
}

/** The longer side of a drawing in pixels: a seal of 60 mm at 600 dpi. */
const DRAWN = 1417

/** The file that is sent: a drawing (SVG) becomes a PNG here, for it may hold scripts and references to elsewhere. Null: it can't be read. */
export async function pictureOf(file: File): Promise<File | null> {
  if (file.type !== SVG) return file
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 300]
    const scale = DRAWN / Math.max(width, height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    return png && new File([png], file.name.replace(/\.svg$/i, '.png'), { type: 'image/png' })
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}
