package course

// notWaiting is 0, because a browser has no pipes.
const notWaiting = 0
