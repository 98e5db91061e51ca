package host

const openNonblock = 0 // Windows has no FIFOs in its file systems
