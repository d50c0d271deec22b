import { useTranslation } from 'react-i18next'

/** The texts of the product in the current language: `const t = useText(); t('list.empty')`. */
export function useText() {
  return useTranslation().t
}
