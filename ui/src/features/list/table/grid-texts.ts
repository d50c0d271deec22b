import type { TFunction } from 'i18next'

/** The few texts that the grid itself says: to screen readers, for we draw the rest. */
export function gridTexts(t: TFunction): Record<string, string> {
  return {
    noRowsToShow: '',
    ariaRowSelect: t('list.selectRow'),
    ariaRowDeselect: t('list.selectRow'),
    ariaRowToggleSelection: t('list.selectRow'),
    ariaRowSelectAll: t('list.selectPage'),
    ariaHeaderSelection: t('list.selectPage'),
    ariaSelectAllDisplayed: t('list.selectPage'),
    ariaColumnPanelList: t('list.columns'),
    ariaSortableColumn: t('list.sort'),
  }
}
