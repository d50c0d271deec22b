/** A part of the earth, in degrees. */
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

export interface Spot {
  longitude: number
  latitude: number
}

/** What holds all spots, with a little room around them; of one spot a few hundred metres. */
export function boundsOf(spots: Spot[]): Bounds {
  const lons = spots.map(({ longitude }) => longitude)
  const lats = spots.map(({ latitude }) => latitude)
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)]
  const room = Math.max((east - west) * 0.08, (north - south) * 0.08, 0.001)
  return { west: west - room, east: east + room, south: south - room, north: north + room }
}

export interface View {
  /** Pixels of a degree of latitude. */
  scale: number
  /** What is in the middle. */
  longitude: number
  latitude: number
}

/** How much narrower a degree of longitude is than one of latitude. */
export const narrowing = (latitude: number) => Math.max(0.05, Math.cos((latitude * Math.PI) / 180))

/** The view that shows a part of the earth as large as a box allows. */
export function viewOf({ west, south, east, north }: Bounds, width: number, height: number): View {
  const latitude = (south + north) / 2
  const scale = Math.min(width / ((east - west || 1e-6) * narrowing(latitude)), height / (north - south || 1e-6))
  return { scale, longitude: (west + east) / 2, latitude }
}

/** Where a spot is in the box. Over the few kilometres of a site the earth is flat. */
export function pixelOf({ longitude, latitude }: Spot, view: View, width: number, height: number) {
  return {
    x: width / 2 + (longitude - view.longitude) * narrowing(view.latitude) * view.scale,
    y: height / 2 - (latitude - view.latitude) * view.scale,
  }
}

const DEGREE = 111_320

/** A round length that takes about a quarter of the box: its pixels and its metres. */
export function scaleBar(view: View, width: number): { pixels: number; metres: number } {
  const perMetre = view.scale / DEGREE
  const most = Math.max(40, width / 4) / perMetre
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = [5, 2, 1].map((step) => step * power).find((length) => length <= most) ?? power
  return { pixels: metres * perMetre, metres }
}
