import { type ThemeConfig, theme } from 'antd'
import type { Appearance, Palette } from '@/lib/palette'

/** antd in our palette: dense, one line colour, shadows only on what floats. */
export function antdTheme(c: Palette, appearance: Appearance, motion: boolean): ThemeConfig {
  // What people type into has an edge that is seen (3:1), at rest and with the focus.
  const edge = { colorBorder: c.control, hoverBorderColor: c.secondary, activeBorderColor: c.focus }
  const field = { ...edge, activeShadow: `0 0 0 2px ${c.accentSoft}` }
  return {
    hashed: false, // one antd on the page: its rules need not be told apart
    algorithm: appearance === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      motion,
      colorPrimary: c.accentFill,
      colorInfo: c.accentFill,
      colorSuccess: c.good,
      colorWarning: c.warn,
      colorError: c.badText,
      colorLink: c.accentText,
      colorTextBase: c.text,
      colorBgBase: c.surface,
      colorText: c.text,
      colorTextSecondary: c.secondary,
      colorTextTertiary: c.secondary,
      colorTextPlaceholder: c.faintText,
      colorTextDescription: c.secondary,
      colorBgLayout: c.page,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorder: c.line,
      colorBorderSecondary: c.line,
      colorSplit: c.line,
      colorPrimaryBorder: c.focus, // the ring around what has the focus
      lineWidthFocus: 2,
      controlOutlineWidth: 2,
      controlItemBgHover: c.hover,
      controlItemBgActive: c.accentSoft,
      controlItemBgActiveHover: c.accentSoft,
      colorFillAlter: c.hover,
      borderRadius: 6,
      borderRadiusLG: 8,
      borderRadiusSM: 4,
      controlHeight: 32,
      fontSize: 14,
      fontFamily: 'var(--font)',
      fontWeightStrong: 500,
      boxShadow: c.shadow,
      boxShadowSecondary: c.shadow,
      motionDurationSlow: '0.18s',
      motionDurationMid: '0.14s',
      motionDurationFast: '0.1s',
      wireframe: false,
    },
    components: {
      Button: {
        primaryColor: c.onAccent,
        // antd's own steps are paler than the fill, and its text is not read on them.
        colorPrimaryHover: c.accentHover,
        colorPrimaryActive: c.accentPressed,
        colorErrorHover: c.badHover,
        colorErrorActive: c.badPressed,
        primaryShadow: 'none',
        dangerColor: c.onBad,
        defaultShadow: 'none',
        defaultHoverColor: c.accentText,
        defaultActiveColor: c.accentText,
        dangerShadow: 'none',
        fontWeight: 400,
      },
      // A ring or a box of the faintest line is not seen, least of all in the dark.
      Radio: { colorBorder: c.control },
      Checkbox: { colorBorder: c.control },
      Dropdown: { colorPrimary: c.accentText }, // what a menu says is chosen is read
      Modal: { borderRadiusLG: 10, titleFontSize: 16 },
      Input: field,
      Mentions: field,
      Select: { ...edge, activeOutlineColor: c.accentSoft, optionSelectedFontWeight: 500 },
      // The days around a month can be picked too.
      DatePicker: { ...field, colorTextDisabled: c.secondary, colorTextLightSolid: c.onAccent },
      InputNumber: field,
      Tooltip: { colorBgSpotlight: appearance === 'dark' ? '#39404c' : '#2a3442' },
      Pagination: { itemSize: 28 },
      Form: { verticalLabelPadding: '0 0 4px', itemMarginBottom: 20 },
      Tabs: { itemSelectedColor: c.accentText, inkBarColor: c.accent, itemHoverColor: c.text },
    },
  }
}
