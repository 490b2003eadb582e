"""The gateway: the web app's routes, sign-in, the event stream and the turns it runs."""
