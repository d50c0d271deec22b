import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './favorite-button.module.css'
import { type Place, useFavorite } from './home-data'

/** A star: filled = this place is a favorite. */
export function FavoriteButton({ place, name }: { place: Place; name?: string }) {
  const t = useText()
  const { known, favorite, toggle } = useFavorite(place)
  if (!known) return null
  const label = name
    ? t(favorite ? 'home.unfavoriteOne' : 'home.favoriteOne', { name })
    : t(favorite ? 'home.unfavorite' : 'home.favorite')
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={favorite}
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      <Icon name="star" />
    </button>
  )
}
