variables {
}
