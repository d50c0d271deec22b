import type { TFunction } from 'i18next'

/** The few texts that the grid itself says: to screen readers, for we draw the rest. */
export function gridTexts(t: TFunction): Record<string, string> {
  return {
    noRowsToShow: '',
    ariaRowSelect: t('list.selectRow'),
    ariaRowDeselect: t('list.selectRow'),
    ariaRowToggleSelection: t('list.selectRow'),
    ariaRowSelectAll: t('list.selectRow'),
    ariaHeaderSelection: t('list.selectRow'),
    ariaSelectAllDisplayed: t('list.selectRow'),
    ariaColumnPanelList: t('list.columns'),
    ariaSortableColumn: t('list.sort'),
  }
}
