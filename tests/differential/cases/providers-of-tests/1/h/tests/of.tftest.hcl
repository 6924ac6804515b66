run "none" {
}
