check "c" {
  assert {
    condition     = path.module == "y"
    error_message = "module check"
  }
}
