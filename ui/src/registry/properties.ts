import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'
import type { AnyPropertyUI, FormWidget, FormWidgetProps, PropertyUI } from '@/sdk/property'
import { setPropertyResolver } from '@/sdk/resolve'
import { unknownProperty } from './unknown-property'

const cells = import.meta.glob<{ property: AnyPropertyUI }>('../../../plugins/*/property/*/ui.tsx', { eager: true })
const forms = import.meta.glob<{ FormWidget: FormWidget<unknown> }>('../../../plugins/*/property/*/form.tsx')

type AnyWidget = LazyExoticComponent<ComponentType<FormWidgetProps<unknown>>>

const byWire = new Map<number, PropertyUI<unknown>>()
const loaders = new Map<number, () => Promise<unknown>>()
const widgets = new Map<number, AnyWidget>()

for (const [path, module] of Object.entries(cells)) {
  const property = module.property as unknown as PropertyUI<unknown>
  if (byWire.has(property.wire)) throw new Error(`property type ${property.wire} is defined twice: ${path}`)
  byWire.set(property.wire, property)
  const load = forms[path.replace(/ui\.tsx$/, 'form.tsx')]
  if (load) {
    loaders.set(property.wire, load)
    widgets.set(
      property.wire,
      lazy(async () => ({ default: (await load()).FormWidget })),
    )
  }
}

/** The looks of a property type; an unknown one draws a placeholder that names it. */
export function propertyUI(wire: number): PropertyUI<unknown> {
  return byWire.get(wire) ?? unknownProperty(wire)
}

/** The editing control of a property type, loaded when it is first drawn; undefined when the type has none. */
export function formWidget(wire: number): AnyWidget | undefined {
  return widgets.get(wire)
}

/** Fetches editing controls before somebody edits. */
export function loadWidgets(wires: number[]) {
  for (const wire of new Set(wires)) void loaders.get(wire)?.()
}

export const propertyTypes = (): PropertyUI<unknown>[] => [...byWire.values()]

setPropertyResolver(propertyUI, formWidget)
