import { createBrowserRouter } from 'react-router'
import { Crashed } from './crashed'
import { Root } from './root'

/** One route holds all: the pages below it are drawn for the address, or for the one behind an open record. */
export const router = createBrowserRouter([{ path: '*', element: <Root />, errorElement: <Crashed /> }])
