removed {
  from = local_file.one
  lifecycle {
    destroy = false
  }
}
removed {
  from = local_file.two
  lifecycle {
    destroy = true
  }
}
