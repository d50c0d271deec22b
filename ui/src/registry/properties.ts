import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'
import type { AnyPropertyUI, FormWidget, FormWidgetProps, PropertyUI, TypeCheck } from '@/sdk/property'
import { setPropertyResolver } from '@/sdk/resolve'
import { unknownProperty } from './unknown-property'

const cells = import.meta.glob<{ property: AnyPropertyUI }>('../../../plugins/*/property/*/ui.tsx', { eager: true })
const forms = import.meta.glob<FormModule>('../../../plugins/*/property/*/form.tsx')

interface FormModule {
  FormWidget: FormWidget<unknown>
  check?: TypeCheck
}

type AnyWidget = LazyExoticComponent<ComponentType<FormWidgetProps<unknown>>>

const byWire = new Map<number, PropertyUI<unknown>>()
const loaders = new Map<number, () => Promise<unknown>>()
const widgets = new Map<number, AnyWidget>()
/** Those that have been loaded. Drawn as they are they suspend nothing, which React would make visible only after a while. */
const ready = new Map<number, ComponentType<FormWidgetProps<unknown>>>()

const checks = new Map<number, TypeCheck>()

export const hasProperty = (wire: number) => byWire.has(wire)

/** Adds a property type, and what loads its editing control. */
export function addProperty(given: AnyPropertyUI, load?: () => Promise<unknown>): void {
  const property = given as unknown as PropertyUI<unknown>
  if (byWire.has(property.wire)) throw new Error(`property type ${property.wire} is defined twice: ${property.name}`)
  byWire.set(property.wire, property)
  if (!load) return
  const loadOnce = async () => {
    const { FormWidget, check } = (await load()) as FormModule
    if (check) checks.set(property.wire, check)
    ready.set(property.wire, FormWidget)
    return { default: FormWidget }
  }
  loaders.set(property.wire, loadOnce)
  widgets.set(property.wire, lazy(loadOnce))
}

for (const [path, { property }] of Object.entries(cells))
  addProperty(property, forms[path.replace(/ui\.tsx$/, 'form.tsx')])

/** The looks of a property type; an unknown one draws a placeholder that names it. */
export function propertyUI(wire: number): PropertyUI<unknown> {
  return byWire.get(wire) ?? unknownProperty(wire)
}

/** The editing control of a property type, loaded when it is first drawn; undefined when the type has none. */
export function formWidget(wire: number): AnyWidget | undefined {
  return widgets.get(wire)
}

/**
 * The control itself where it has been loaded. What draws it has to keep the answer: another component in its place would
 * lose what is typed.
 */
export const loadedWidget = (wire: number): ComponentType<FormWidgetProps<unknown>> | undefined =>
  ready.get(wire) ?? widgets.get(wire)

export const widgetsLoaded = (wires: number[]) => wires.every((wire) => ready.has(wire) || !loaders.has(wire))

/** Fetches editing controls before somebody edits; what cannot be fetched now is asked for again when it is drawn. */
export async function loadWidgets(wires: number[]): Promise<void> {
  await Promise.allSettled([...new Set(wires)].map((wire) => loaders.get(wire)?.()))
}

export const propertyTypes = (): PropertyUI<unknown>[] => [...byWire.values()]

setPropertyResolver(propertyUI, formWidget, loadedWidget, (wire) => checks.get(wire))
