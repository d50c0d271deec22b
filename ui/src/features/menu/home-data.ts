import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { post, put } from '@/api/client'
import { useFeedback } from '@/sdk/feedback'
import { type Home, type HomePlace, homeQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'

/** What names a page (application, menu item) or a record (model, id). */
export type Place = Pick<HomePlace, 'kind' | 'place' | 'code'>

export const samePlace = (a: Place, b: Place) => a.kind === b.kind && a.place === b.place && a.code === b.code

const marked = (places: HomePlace[], place: Place, favorite: boolean) =>
  places.map((one) => (samePlace(one, place) ? { ...one, favorite } : one))

/** Whether a place is a favorite of the person, and what changes that. */
export function useFavorite(place: Place) {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const { data } = useQuery({ ...homeQuery, staleTime: 300_000 })
  const favorite = data?.favorites.some((one) => samePlace(one, place)) ?? false
  const change = useMutation({
    mutationFn: (next: boolean) =>
      put('/api/app/home/favorite', { kind: place.kind, place: place.place, code: place.code, favorite: next }),
    onSuccess: ({ favorite: now, most }, wanted) => {
      if (wanted && !now) feedback.warning(t('home.favoritesFull', { count: most }))
      client.setQueryData<Home>(homeQuery.queryKey, (home) =>
        home ? { ...home, pages: marked(home.pages, place, now), records: marked(home.records, place, now) } : home,
      )
      void client.invalidateQueries({ queryKey: homeQuery.queryKey })
    },
    onError: feedback.error,
  })
  return { known: data !== undefined, favorite, toggle: () => change.mutate(!favorite) }
}

/** Remembers that a place was opened. It is a convenience: that it cannot be kept is not worth a message. */
export const visit = (place: Place) =>
  post('/api/app/home/visit', { kind: place.kind, place: place.place, code: place.code }).catch(() => {})

/** The next steps are not shown to this person again. */
export const dismissSteps = () => post('/api/app/home/visit', { kind: 'steps', place: '', code: '' })
