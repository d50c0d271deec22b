import {
  AmbientLight,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DynamicDrawUsage,
  EdgesGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'

/** The lower and the upper corner, x y z each, in meters; z is up. */
export type Box = readonly [number, number, number, number, number, number]

export interface BoxPart {
  id: string
  box: Box
}

/** From where the whole is looked at. */
export type View = 'oblique' | 'top' | 'side'

const DIRECTIONS: Record<View, Vector3> = {
  oblique: new Vector3(-0.55, -0.7, 0.45),
  top: new Vector3(0, -0.001, 1),
  side: new Vector3(0, -1, 0.02),
}
const FIELD_OF_VIEW = 40
const ALONG = new Quaternion()

/** A press that moves less than this is a click, in pixels. */
const STILL = 5

/**
 * Draws boxes with three.js. Nothing is drawn while nothing changes. Boxes are drawn in one call; picking walks their bounding boxes. It throws where the
 * browser has no WebGL 2.
 */
export class BoxScene {
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 10_000)
  private readonly controls: OrbitControls
  private readonly material = new MeshLambertMaterial()
  private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.28 })
  private readonly marks = new LineBasicMaterial({ depthTest: false })
  private readonly resizing: ResizeObserver
  private parts: readonly BoxPart[] = []
  private boxes: Box3[] = []
  private whole = new Box3()
  private mesh: InstancedMesh | null = null
  private edges: LineSegments | null = null
  private mark: LineSegments | null = null
  private frame = 0
  private pressed: { x: number; y: number } | null = null

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly on: { pick: (id: string | null) => void; point: (id: string | null) => void },
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true })
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio))
    this.camera.up.set(0, 0, 1)
    const sun = new DirectionalLight(0xffffff, 1.8)
    sun.position.set(-0.4, -0.8, 1)
    this.scene.add(new AmbientLight(0xffffff, 1.4), sun)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener('change', this.draw)
    this.resizing = new ResizeObserver(this.resize)
    this.resizing.observe(canvas)
    canvas.addEventListener('pointerdown', this.press)
    canvas.addEventListener('pointerup', this.release)
    canvas.addEventListener('pointermove', this.move)
    canvas.addEventListener('pointerleave', this.leave)
    canvas.addEventListener('keydown', this.key)
    this.resize()
  }

  /** Takes the boxes; where others than before, all of them are brought into view. */
  show(parts: readonly BoxPart[]) {
    if (parts === this.parts) return
    const same = parts.length === this.parts.length && parts.every((part, i) => part.id === this.parts[i]?.id)
    this.parts = parts
    this.drop()
    this.whole = new Box3()
    this.boxes = parts.map(
      ({ box }) => new Box3(new Vector3(box[0], box[1], box[2]), new Vector3(box[3], box[4], box[5])),
    )
    for (const box of this.boxes) this.whole.union(box)
    const center = this.whole.getCenter(new Vector3())
    for (const box of this.boxes) box.translate(center.clone().negate()) // large coordinates of a site would tremble
    this.whole.translate(center.clone().negate())
    const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), this.material, parts.length)
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    const matrix = new Matrix4()
    for (const [i, box] of this.boxes.entries())
      mesh.setMatrixAt(i, matrix.compose(box.getCenter(new Vector3()), ALONG, thick(box.getSize(new Vector3()))))
    this.mesh = mesh
    this.edges = new LineSegments(outlines(this.boxes), this.lines)
    this.scene.add(mesh, this.edges)
    if (!same) this.look('oblique')
    this.draw()
  }

  /** Gives each box a color (#rrggbb), and the lines between them theirs. */
  paint(colorOf: (id: string) => string, line: string) {
    const color = new Color()
    for (const [i, { id }] of this.parts.entries()) this.mesh?.setColorAt(i, color.set(colorOf(id)))
    if (this.mesh?.instanceColor) this.mesh.instanceColor.needsUpdate = true
    this.lines.color.set(line)
    this.draw()
  }

  /** Outlines some boxes, through what is in front of them. */
  select(ids: ReadonlySet<string>, color: string) {
    if (this.mark) {
      this.scene.remove(this.mark)
      this.mark.geometry.dispose()
    }
    const chosen = this.boxes.filter((_, i) => ids.has(this.parts[i]?.id ?? ''))
    this.marks.color.set(color)
    this.mark = new LineSegments(outlines(chosen), this.marks)
    this.mark.renderOrder = 1
    this.scene.add(this.mark)
    this.draw()
  }

  /** Brings all boxes, or those named, into view from a side. */
  look(view: View, ids?: ReadonlySet<string>) {
    const what = new Box3()
    for (const [i, box] of this.boxes.entries()) if (!ids || ids.has(this.parts[i]?.id ?? '')) what.union(box)
    if (what.isEmpty()) return
    const center = what.getCenter(new Vector3())
    const distance = this.distanceTo(what, DIRECTIONS[view])
    this.camera.position.copy(center).addScaledVector(DIRECTIONS[view].clone().normalize(), distance)
    this.camera.near = distance / 1000
    this.camera.far = distance * 100
    this.camera.updateProjectionMatrix()
    this.controls.target.copy(center)
    this.controls.update()
    this.draw()
  }

  /** How far from its center a box is all in view, looked at from a direction. */
  private distanceTo(box: Box3, from: Vector3): number {
    const ahead = from.clone().normalize()
    const right = new Vector3().crossVectors(this.camera.up, ahead).normalize()
    const up = new Vector3().crossVectors(ahead, right)
    const high = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * 0.92
    const half = box
      .getSize(new Vector3())
      .divideScalar(2)
      .max(new Vector3(0.5, 0.5, 0.5))
    const reach = (axis: Vector3) => Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z
    return reach(ahead) + Math.max(reach(up) / high, reach(right) / (high * this.camera.aspect))
  }

  dispose() {
    cancelAnimationFrame(this.frame)
    this.resizing.disconnect()
    for (const [name, run] of [
      ['pointerdown', this.press],
      ['pointerup', this.release],
      ['pointermove', this.move],
      ['pointerleave', this.leave],
      ['keydown', this.key],
    ] as const)
      this.canvas.removeEventListener(name, run as EventListener)
    this.drop()
    if (this.mark) this.mark.geometry.dispose()
    for (const one of [this.material, this.lines, this.marks]) one.dispose()
    this.controls.dispose()
    this.renderer.dispose()
  }

  private drop() {
    for (const one of [this.mesh, this.edges]) {
      if (!one) continue
      this.scene.remove(one)
      one.geometry.dispose()
    }
    this.mesh?.dispose()
    this.mesh = null
    this.edges = null
  }

  private readonly draw = () => {
    if (this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.renderer.render(this.scene, this.camera)
    })
  }

  private readonly resize = () => {
    const { clientWidth, clientHeight } = this.canvas
    if (clientWidth === 0 || clientHeight === 0) return
    this.renderer.setSize(clientWidth, clientHeight, false)
    this.camera.aspect = clientWidth / clientHeight
    this.camera.updateProjectionMatrix()
    this.draw()
  }

  private hit(event: PointerEvent): string | null {
    if (!this.mesh) return null
    const { left, top, width, height } = this.canvas.getBoundingClientRect()
    const at = new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2)
    const ray = new Raycaster()
    ray.setFromCamera(at, this.camera)
    const point = new Vector3()
    let nearest = Number.POSITIVE_INFINITY
    let found: string | null = null
    for (const [i, box] of this.boxes.entries()) {
      if (!ray.ray.intersectBox(box, point)) continue
      const distance = ray.ray.origin.distanceToSquared(point)
      if (distance >= nearest) continue
      nearest = distance
      found = this.parts[i]?.id ?? null
    }
    return found
  }

  private readonly press = (event: PointerEvent) => {
    this.pressed = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null
  }

  private readonly release = (event: PointerEvent) => {
    const from = this.pressed
    this.pressed = null
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL) this.on.pick(this.hit(event))
  }

  private readonly move = (event: PointerEvent) => {
    if (event.buttons === 0 && event.pointerType === 'mouse') this.on.point(this.hit(event))
  }

  private readonly leave = () => this.on.point(null)

  private readonly key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const turn = Math.PI / 24
    const steps: Record<string, [number, number, number]> = {
      ArrowLeft: [-turn, 0, 1],
      ArrowRight: [turn, 0, 1],
      ArrowUp: [0, -turn, 1],
      ArrowDown: [0, turn, 1],
      '+': [0, 0, 0.8],
      '=': [0, 0, 0.8],
      '-': [0, 0, 1.25],
    }
    const step = steps[event.key]
    if (event.key === '0' || event.key === 'Home') this.look('oblique')
    else if (step) this.orbit(...step)
    else return
    event.preventDefault()
  }

  /** Turns the camera about what it looks at, in radians, and goes nearer or farther. */
  private orbit(around: number, down: number, times: number) {
    const offset = this.camera.position.clone().sub(this.controls.target)
    // Spherical takes y as up.
    const to = new Spherical().setFromVector3(new Vector3(offset.y, offset.z, offset.x))
    to.theta += around
    to.phi = Math.min(Math.PI - 0.01, Math.max(0.01, to.phi + down))
    to.radius *= times
    const from = new Vector3().setFromSpherical(to)
    this.camera.position.copy(this.controls.target).add(new Vector3(from.z, from.x, from.y))
    this.controls.update()
    this.draw()
  }
}

/** A box without thickness is drawn as a sheet. */
const thick = (size: Vector3) => size.max(new Vector3(0.01, 0.01, 0.01))

/** The edges of boxes as one geometry. */
function outlines(boxes: readonly Box3[]): BufferGeometry {
  const unit = new EdgesGeometry(new BoxGeometry(1, 1, 1)).getAttribute('position')
  const out = new Float32Array(boxes.length * unit.count * 3)
  const [center, size] = [new Vector3(), new Vector3()]
  let at = 0
  for (const box of boxes) {
    box.getCenter(center)
    box.getSize(size)
    for (let i = 0; i < unit.count; i++) {
      out[at++] = center.x + unit.getX(i) * size.x
      out[at++] = center.y + unit.getY(i) * size.y
      out[at++] = center.z + unit.getZ(i) * size.z
    }
  }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(out, 3))
}
